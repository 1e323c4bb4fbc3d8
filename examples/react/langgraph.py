# The same program for LangGraph; the model and the tool come from elsewhere, as in graph.yaml.
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from service import checkpointer, model, weather


def llm(state: MessagesState):
    system = {"role": "system", "content": "You help people to choose where to go. Use the tools."}
    return {"messages": [model.bind_tools([weather]).invoke([system, *state["messages"]])]}


builder = StateGraph(MessagesState)
builder.add_node(llm)
builder.add_node("tools", ToolNode([weather]))
builder.add_edge(START, "llm")
builder.add_conditional_edges("llm", tools_condition)
builder.add_edge("tools", "llm")
graph = builder.compile(checkpointer=checkpointer)
