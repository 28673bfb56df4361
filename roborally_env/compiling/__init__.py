"""How kernels become machine code, and where it is kept.

fingerprint   what machine code depends on, as a hash
hooks         names that stand for one function an edition
whole_program a function becomes a kernel, compiled as a whole with all that it calls, or by plain numba
kernels       the compiler of whole programs
libraries     numba's code libraries for it
pipeline      the passes of numba for a kernel
structures    numba's structures as values, not in memory
variables     the same for variables that are set once
calls         calls of functions that never fail
patches       what it changes in numba meanwhile
arrays        which code has to count references to arrays
plain         kernels that plain numba compiles
keys          versions, options, and the names of files
machine       the processor for which machine code is made
cache         the folder of machine code: files, locks, warnings
progress      messages while something is compiled

It imports nothing of the game, and is the only part of the package that touches private names of numba: docs/numba.md.
"""
