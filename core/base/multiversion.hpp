// Compiles a counting kernel for newer processors too and picks at load time. Only for kernels
// of comparisons and integers: their result is the same whatever the vector width.
#pragma once

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define RAREWOOD_MULTIVERSION __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define RAREWOOD_MULTIVERSION
#endif
