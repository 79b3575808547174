"""Mutation testing of the checks: small faults put into every solution by machine, each of which a check must notice.

In: the solutions. Out: the mutants that get full points, less those that a chapter's checks/equivalents.toml explains.
`expressions`, `statements` and `functions` make the faults, `mutation` puts them into a solution, `trial` runs them.
mutmut and cosmic-ray know the general faults too, but change modules and run a command for each; a solution here is a
cell of a notebook, and its faults are those of tensors.
"""
