"""What TensorBoard reads in a file of events that own-events.mjs has written: `npm run build`, then that, then this."""

from pathlib import Path

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader

from stored import store

folder = Path(__file__).parent / "events"
[path] = folder.glob("events.out.tfevents.*")

# The raw reader checks every checksum, and stops at one that is wrong.
records = list(RawEventFileLoader(str(path)).Load())

accumulator = EventAccumulator(str(folder), size_guidance={"scalars": 0})
accumulator.Reload()
scalars = {
    tag: [[event.step, event.wall_time, event.value] for event in accumulator.Scalars(tag)]
    for tag in accumulator.Tags()["scalars"]
}
store(
    __file__,
    {
        "records": len(records),
        "fileVersion": accumulator.file_version,
        "firstTime": accumulator.FirstEventTimestamp(),
        "scalars": scalars,
    },
    "tensorboard",
    "protobuf",
)
