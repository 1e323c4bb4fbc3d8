# The same program for LangGraph; the model comes from elsewhere, as in graph.yaml.
from operator import add
from typing import Annotated, Literal, TypedDict

from langgraph.graph import START, StateGraph
from langgraph.types import Command, Send
from pydantic import BaseModel

from service import checkpointer, model


class State(TypedDict):
    question: str
    findings: Annotated[list[dict], add]
    report: str


class Plan(BaseModel):
    topics: list[str]


class Finding(BaseModel):
    notes: str
    score: int


def plan(state: State) -> Command[Literal["research", "report"]]:
    prompt = f"Which topics must be researched to answer: {state['question']}"
    topics = model.with_structured_output(Plan).invoke(prompt).topics
    return Command(goto=[Send("research", {**state, "topic": t}) for t in topics] or "report")


def research(task: dict):
    prompt = f"Research {task['topic']}. Score from 0 to 10 how it helps to answer: {task['question']}"
    found = model.with_structured_output(Finding).invoke(prompt)
    return {"findings": [{"topic": task["topic"], **found.model_dump()}]}


def report(state: State):
    best = sorted(state["findings"], key=lambda f: -f["score"])[:3]
    prompt = f"Answer the question \"{state['question']}\" from these notes:\n{best}"
    return {"report": model.invoke(prompt).content}


builder = StateGraph(State)
for node in (plan, research, report):
    builder.add_node(node)
builder.add_edge(START, "plan")
builder.add_edge("research", "report")
graph = builder.compile(checkpointer=checkpointer)
