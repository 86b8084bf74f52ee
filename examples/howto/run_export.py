"""
Use a model outside Python
==========================

The model has to run in a service, on a device, or in a database. Which format?

=============================  =====================================================
the model runs in              use
=============================  =====================================================
Python, also years later       :func:`rarewood.save`, a file that is safe to open
                               (:doc:`/model-files`)
a service, any language        ONNX: :func:`rarewood.export.to_onnx`
a device, or any C program     one C file: :func:`rarewood.export.to_c`
a database                     rules as SQL: :doc:`/rules`
tools for scikit-learn trees   ``tree.to_sklearn()``
=============================  =====================================================

Model files, ONNX and C give the same predictions to the last bit: :doc:`/export` describes them.
This page takes the longest way, from a forest to a C program, and compares the probabilities.
"""

from sklearn.datasets import load_breast_cancer

from rarewood import RareForestClassifier

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
forest = RareForestClassifier(20, random_state=0).fit(X[:400], y[:400])

# %%
# One file of C99 without dependencies, and a program that reads samples from its input:

import tempfile
from pathlib import Path

from rarewood.export import to_c

folder = Path(tempfile.mkdtemp())
to_c(forest, folder / "cancer.c", prefix="cancer")
(folder / "main.c").write_text(r"""
# include <stdio.h>
void cancer_predict_proba(const double *x, double *proba);

int main(void) {
  double x[30], proba[2];
  for (;;) {
    for (int i = 0; i < 30; ++i)
      if (scanf("%lf", &x[i]) != 1) return 0;
    cancer_predict_proba(x, proba);
    printf("%.17g\n", proba[1]);
  }
}
""")

# %%
# Compile it, and predict the samples that the forest has not seen:

import os
import subprocess

program = folder / "predict"
sources = [folder / "main.c", folder / "cancer.c"]
subprocess.run([os.environ.get("CC", "cc"), "-O1", "-o", program, *sources, "-lm"], check=True)

samples = "\n".join(" ".join(map(repr, row)) for row in X[400:].to_numpy().tolist())
output = subprocess.run([program], input=samples, capture_output=True, text=True, check=True)
from_c = [float(line) for line in output.stdout.split()]

size = (folder / "cancer.c").stat().st_size
print(f"cancer.c has {size / 1024:.0f} KiB")
expected = forest.predict_proba(X[400:])[:, 1].tolist()
print(f"{len(from_c)} probabilities, equal: {from_c == expected}")

# %%
# The same model as an ONNX graph is one line, ``to_onnx(forest, "cancer.onnx")``. In a terminal:
# ``rarewood export cancer.rarewood -o cancer.c``.
