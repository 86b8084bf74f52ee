"""The functions of a C file. ``@`` is the prefix of names, ``$name$`` a value."""

from __future__ import annotations

HEAD = """
#include <math.h> /* NAN and INFINITY; nothing to link */
#include <stdint.h>
#include <string.h>

#ifdef __FAST_MATH__
#error "compile without -ffast-math: missing values are NaN"
#endif
/* Sums are those of the model only without fused multiplication and addition. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize ("-ffp-contract=off")
#endif
"""

CASE = """    case {feature}:
        values = {name};
        n = {n};
        break;
"""

CATEGORY = """
/* The number of a category of a feature with texts; NaN for a text that is none, and for NULL. */
double @category(int feature, const char *text)
{
    const char *const *values = 0;
    int i, n = 0;
    switch (feature) {
$cases$    }
    for (i = 0; text != 0 && i < n; ++i) {
        if (strcmp(values[i], text) == 0) return i;
    }
    return NAN;
}
"""

CATEGORY_OF = """
/* The number of a category of a feature with numbers or booleans; NaN for another value. */
double @category_of(int feature, double value)
{
    const double *values = 0;
    int i, n = 0;
    switch (feature) {
$cases$    }
    for (i = 0; i < n; ++i) {
        if (values[i] == value) return i;
    }
    return NAN;
}
"""

CATEGORY_CHILD = """
/* The child for a category at a categorical node; -1 if there is none. */
static int @child_for(int v, double value)
{
    int32_t low = @category_offset[v], high = @category_offset[v + 1];
    const int32_t end = high;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (@category_at[middle] < value) low = middle + 1;
        else high = middle;
    }
    return low < end && @category_at[low] == value ? @category_child[low] : -1;
}
"""

PLANE = """
/* The value that a node compares: a feature or a weighted sum. */
static double @value(int v, const double *x)
{
    int32_t i = @term[v];
    const int32_t end = @term[v + 1];
    double sum;
    if (i == end) return x[@node[v].feature];
    sum = @term_weight[i] * x[@term_feature[i]];
    for (++i; i < end; ++i) sum += @term_weight[i] * x[@term_feature[i]];
    return sum;
}
"""

STEP_CATEGORICAL = """
        } else if (@category_offset[v] < @category_offset[v + 1]) {
            child = @child_for(v, value);
            if (child < 0) child = @node[v].missing;"""

WALK = """
/* The number of the leaf of a sample, from a root. */
static int @leaf(int v, const double *x)
{
    while (@node[v].first_child >= 0) {
        const double value = $value$;
        int child;
        if (value != value) {
            child = @node[v].missing;$categorical$
        } else {
            child = value <= @node[v].threshold ? 0 : 1;
        }
        v = @node[v].first_child + child;
    }
    return -1 - @node[v].first_child;
}
"""

SPREAD = """
/* Adds the probabilities of the nodes in which a part of a sample ends. A part with a missing value
   goes to all children, in proportion to their training weights. */
static void @spread(int v, double part, const double *x, double *proba, int n_classes)
{
    while (@n_children[v] > 0) {
        const double value = $value$;
        int child;
        if (value != value) {
            for (child = 0; child < @n_children[v]; ++child) {
                const int w = @node[v].first_child + child;
                @spread(w, part * @fraction[w], x, proba, n_classes);
            }
            return;$categorical$
        } else {
            child = value <= @node[v].threshold ? 0 : 1;
        }
        if (child < 0) break; /* a category that training did not have here */
        v = @node[v].first_child + child;
    }
    {
        int k;
        for (k = 0; k < n_classes; ++k) proba[k] += part * @probability[v * n_classes + k];
    }
}
"""

BINS = """
    double z[$n_features$];
    int j;
    int32_t first_edge = 0, first = 0;
    for (j = 0; j < $n_features$; ++j) { /* values become the coordinates of their bins */
        int32_t low = 0, high = @n_bins[j] - 1;
        z[j] = x[j];
        if (@n_bins[j] == 0) continue;
        while (low < high) {
            const int32_t middle = low + (high - low) / 2;
            if (@edge[first_edge + middle] < x[j]) low = middle + 1;
            else high = middle;
        }
        if (x[j] == x[j]) z[j] = @coordinate[first + low];
        first_edge += @n_bins[j] - 1;
        first += @n_bins[j];
    }"""

SUM = """
    for (t = 0; t < $n_trees$; ++t) {
        const double *const p = @probability + (long)@leaf(@root[t], $x$) * $n_classes$;
        for (k = 0; k < $n_classes$; ++k) proba[k] += p[k];
    }
    for (k = 0; k < $n_classes$; ++k) proba[k] /= $n_trees$.0;"""

ONE = """
    t = 0;
    @spread(@root[t], 1.0, $x$, proba, $n_classes$);"""

CORRECTION = """
    { /* class frequencies other than those of training */
        double sum = 0.0;
        for (k = 0; k < $n_classes$; ++k) sum += proba[k] *= @ratio_$number$[k];
        for (k = 0; k < $n_classes$; ++k) {
            proba[k] = sum > 0.0 ? proba[k] / sum : @prior_$number$[k];
        }
    }"""

PROBA = """
/* Writes the class probabilities of a sample. */
void @predict_proba(const double *x, double *proba)
{
    int t, k;$bins$
    for (k = 0; k < $n_classes$; ++k) proba[k] = 0.0;$body$$corrections$
}
"""

MOST_PROBABLE = """
    for (k = 1; k < $n_classes$; ++k) {
        if (proba[k] > proba[best]) best = k;
    }"""

THRESHOLD = """
    k = $number$;
    best = proba[k] >= $cut$ ? k : 1 - k;"""

PREDICT = """
/* The number of the predicted class of a sample. */
int @predict(const double *x)
{
    double proba[$n_classes$];
    int k, best = 0;
    @predict_proba(x, proba);$decision$
    return best;
}
"""
