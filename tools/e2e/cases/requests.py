"""How many requests commands send."""
from budget import ONE, ROWS, count
from case import case, wanted


@case("s3", seconds=120)
def no_command_sends_more_requests_than_its_budget(bench, store):
    for rows, objects in (ONE, 1), (ROWS, 30):
        for row in rows:
            sent = count(bench, store, row, objects)
            wanted(sum(sent.values()) <= row.at_most(objects),
                   f"at most {row.at_most(objects)} requests to {row.title} of {objects}",
                   dict(sent))
