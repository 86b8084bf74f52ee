"""Models as ONNX graphs of standard operators."""
