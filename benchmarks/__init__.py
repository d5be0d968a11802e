"""Public benchmarks: Foreword measured beside its peers. Run them with `make bench`.

`turns`, `imports`, `searches`, `operations` and `probe_survival` each measure one thing and write
`results/NAME.json`; `race` lets systems take turns, each in a process of its own (`worker`);
`systems` holds one small adapter for each of them; `report` makes the page of the documentation.
"""
