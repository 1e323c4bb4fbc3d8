"""Shows a run while it goes on, and reads it once more from the middle."""

from superstep import Superstep

client = Superstep()

client.graphs.create("""
name: sdk-streaming
nodes:
  - { id: greet, type: expression, config: { update: { greeting: "Hello {{ state.name }}!" } }, next: [count] }
  - { id: count, type: expression, config: { update: { letters: "{{ size(state.greeting) }}" } } }
""")

run_id = ""
for event in client.runs.start_stream(graph="sdk-streaming", input={"name": "Ada"}, with_="changes"):
    run_id = event.run_id
    if event.type == "superstep.committed":
        print("superstep", event.superstep)
print("output", client.runs.get(run_id).output)

# Events are stored: whoever comes later, or back, says what was the last one seen.
for event in client.runs.stream(run_id, last_event_id=2):
    print(event.seq, event.type)
