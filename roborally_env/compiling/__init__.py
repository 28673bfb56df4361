"""How kernels become machine code, and where it is kept.

fingerprint   what machine code depends on, as a hash
hooks         names that stand for one function an edition
whole         compiling an entry as a whole, with all that it calls
cache         the folder of machine code: files, locks, warnings
progress      messages while something is compiled
"""
