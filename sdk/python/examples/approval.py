"""A draft waits for a person; here the program plays that person."""

from superstep import Superstep

client = Superstep()

client.graphs.create("""
name: sdk-approval
nodes:
  - id: draft
    type: expression
    config: { update: { draft: "A short text about {{ state.topic }}." } }
    next: [review]
  - id: review
    type: human
    config:
      payload: { question: "Publish this?", draft: "{{ state.draft }}" }
      answer_schema: { type: object, required: [approved], properties: { approved: { type: boolean } } }
    switch:
      - { when: state.review.approved, to: publish }
      - { else: __end__ }
  - id: publish
    type: expression
    config: { update: { published: "{{ state.draft }}" } }
""")

# As a server does it: the run stops at its question, and goes on whenever the answer comes.
asked = client.runs.run(graph="sdk-approval", input={"topic": "tea"})
print(asked.status, asked.interrupts[0].payload["question"])
published = client.runs.answer(asked.id, {"approved": True})
print(published.status, published.output["published"])

# As a script does it: the answer is computed as soon as there is a question.
declined = client.runs.run(
    graph="sdk-approval",
    input={"topic": "coffee"},
    answer=lambda interrupt: {"approved": "tea" in interrupt.payload["draft"]},
)
print(declined.status, declined.output.get("published", "not published"))
