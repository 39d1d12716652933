"""Random faults: refresh after refresh of one Airflow and two stand-ins, each struck at random points.

`make chaos SECONDS=1800 SEED=n`. The faults and their points follow from the seed (`plan`); however a refresh
ends, it is judged by the rules that all scenarios of faults share (`support.what_must_hold`).
"""
