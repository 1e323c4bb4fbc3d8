# The same program for LangGraph; the model and the tool come from elsewhere, as in graph.yaml.
from operator import add
from typing import Annotated, Literal

from langchain.agents import create_agent
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command
from pydantic import BaseModel

from service import checkpointer, model, weather


class State(MessagesState):
    reports: Annotated[list[str], add]


class Order(BaseModel):
    next: Literal["researcher", "writer", "__end__"]


agent = create_agent(model, [weather], system_prompt="You find out about the weather. Use the tool.")


def lead(state: State) -> Command[Literal["researcher", "writer", "__end__"]]:
    prompt = f"Who works next on {state['messages']}? __end__ if done by {state['reports']}."
    return Command(goto=model.with_structured_output(Order).invoke(prompt).next)


def researcher(state: State):
    answer = agent.invoke({"messages": state["messages"]})
    return {"messages": answer["messages"], "reports": [answer["messages"][-1].content]}


def writer(state: State):
    return {"reports": [model.invoke(f"Write a postcard with this: {state['reports']}").content]}


builder = StateGraph(State)
for node in (lead, researcher, writer):
    builder.add_node(node)
builder.add_edge(START, "lead")
builder.add_edge("researcher", "lead")
builder.add_edge("writer", "lead")
graph = builder.compile(checkpointer=checkpointer)
