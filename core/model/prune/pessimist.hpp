// The errors that C4.5 expects of a leaf.
#pragma once

namespace rarewood {

class Pessimist {
 public:
  // `confidence`: the probability that errors are rarer than estimated is 1 minus this.
  explicit Pessimist(double confidence);

  // Errors to expect of n rows of which e were wrong: n times the upper end of a confidence
  // interval for the error rate, by Quinlan's approximation.
  double errors(double n, double e) const { return n > 0 ? e + more(n, e) : 0; }

 private:
  double more(double n, double e) const;

  double confidence_, z_;
};

}  // namespace rarewood
