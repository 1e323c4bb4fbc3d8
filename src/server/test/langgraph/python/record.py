"""Records what langgraph-sdk of Python sends, by running it against a LangGraph server.

    pip install langgraph-sdk
    python record.py http://127.0.0.1:2024 requests.json

Ids that the server has given stand in the records as ${thread_id.1} and so on, with the place in the answer where each came from.
"""

import asyncio
import json
import sys

import langgraph_sdk
from langgraph_sdk import get_client
from langgraph_sdk.errors import NotFoundError

IDS = {"thread_id", "run_id", "assistant_id", "checkpoint_id"}
HEADERS = ("accept", "content-type", "last-event-id", "prefer", "user-agent", "x-api-key")
records, names, counts = [], {}, {}


def named(key, value):
    """The name of an id that is seen for the first time; none if it is known."""
    if value in names:
        return None
    counts[key] = counts.get(key, 0) + 1
    names[value] = f"{key}.{counts[key]}"
    return names[value]


def find(value, path, captures):
    if isinstance(value, dict):
        for key, member in value.items():
            if key in IDS and isinstance(member, str):
                name = named(key, member)
                if name:
                    captures[name] = path + [key]
            else:
                find(member, path + [key], captures)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            find(member, path + [index], captures)


def abstract(text):
    for value, name in sorted(names.items(), key=lambda it: -len(it[0])):
        text = text.replace(value, "${" + name + "}")
    return text


async def answered(response):
    request = response.request
    headers = {name: request.headers[name] for name in HEADERS if name in request.headers}
    headers["user-agent"] = headers.get("user-agent", "").split(" ")[0]
    body = request.content.decode() if request.content else ""
    record = {
        "method": request.method,
        "path": abstract(request.url.raw_path.decode()),
        "headers": headers,
        "body": json.loads(abstract(body)) if body else None,
        "status": response.status_code,
        "captures": {},
    }
    records.append(record)
    location = response.headers.get("content-location")
    if location and "/runs/" in location:
        name = named("run_id", location.split("/runs/")[1])
        if name:
            record["captures"][name] = "content-location"
    if response.headers.get("content-type", "").startswith("application/json"):
        await response.aread()
        answer = json.loads(response.content)
        find(answer, [], record["captures"])
        if isinstance(answer, dict) and response.status_code == 200:
            record["keys"] = sorted(answer)
        elif isinstance(answer, list):
            record["items"] = len(answer)


async def collected(stream):
    return [part async for part in stream]


async def main(url, file):
    client = get_client(url=url, api_key="key-of-a-test")
    client.http.client.event_hooks["response"].append(answered)
    say = lambda text: {"messages": [{"role": "user", "content": text}]}
    modes = ["values", "messages-tuple", "updates"]

    [system] = await client.assistants.search(graph_id="agent", metadata={"created_by": "system"})
    assert (await client.assistants.get(system["assistant_id"]))["graph_id"] == "agent"
    await client.assistants.get_graph(system["assistant_id"])

    thread = await client.threads.create(metadata={"user": "ada"}, graph_id="agent")
    id = thread["thread_id"]
    parts = await collected(client.runs.stream(id, "agent", input=say("hello"), stream_mode=modes, stream_resumable=True))
    assert parts[0].event == "metadata" and parts[-1].data["messages"][-1]["content"] == "You said: hello"
    run = parts[0].data["run_id"]
    assert (await client.runs.get(id, run))["status"] == "success"
    replay = await collected(client.runs.join_stream(id, run, last_event_id="-1", stream_mode=modes))
    stored = lambda all: [(part.event, part.data) for part in all if part.event != "messages"]
    assert stored(replay) == stored(parts)

    history = await client.threads.get_history(id, limit=10)
    values = await client.runs.wait(id, "agent", input=say("changed"), checkpoint=history[-1]["checkpoint"])
    assert values["messages"][-1]["content"] == "You said: changed"

    asking = await client.threads.create(metadata={"user": "ada"})
    asked = asking["thread_id"]
    question = await client.runs.wait(asked, "agent", input=say("mail to Bob"))
    assert question["__interrupt__"][0]["value"]["action_request"]["args"]["to"] == "Bob"
    assert (await client.threads.get(asked))["status"] == "interrupted"
    state = await client.threads.get_state(asked)
    assert state["next"] == ["approve"]
    done = await client.runs.wait(asked, "agent", command={"resume": [{"type": "accept", "args": None}]})
    assert done["messages"][-1]["content"] == "The tools say: sent to Bob"

    assert await client.threads.count(metadata={"user": "ada"}) >= 2
    assert len(await client.threads.search(metadata={"user": "ada"}, status="idle", limit=2)) == 2
    await client.threads.update(id, metadata={"more": True})
    await client.threads.update_state(id, {"messages": [{"role": "user", "content": "by hand"}]})
    copy = await client.threads.copy(id)
    background = await client.runs.create(copy["thread_id"], "agent", input=say("later"), multitask_strategy="enqueue")
    joined = await client.runs.join(copy["thread_id"], background["run_id"])
    assert joined["messages"][-1]["content"] == "You said: later"
    assert len(await client.runs.list(copy["thread_id"])) >= 1
    await client.runs.cancel(copy["thread_id"], background["run_id"], wait=True)
    stateless = await client.runs.wait(None, "steps", input={})
    assert stateless["log"] == ["a", "b"]
    await client.threads.delete(copy["thread_id"])
    try:
        await client.threads.get(copy["thread_id"])
        raise AssertionError("the thread is still there")
    except NotFoundError:
        pass
    await client.store.put_item(["users", "ada"], key="k", value={"age": 30})
    assert (await client.store.get_item(["users", "ada"], key="k"))["value"] == {"age": 30}
    await client.store.search_items(["users"], limit=5)
    await client.store.delete_item(["users", "ada"], key="k")

    if file:
        with open(file, "w") as out:
            json.dump({"client": f"langgraph-sdk {langgraph_sdk.__version__}", "requests": records}, out, indent=1)
            out.write("\n")
    print(f"{len(records)} requests by langgraph-sdk {langgraph_sdk.__version__}")


asyncio.run(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None))
