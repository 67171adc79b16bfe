"""The main path of a client with the official Python SDK. Ends with an error where anything is not as it should be."""

import asyncio
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client


async def main_path(session: ClientSession, transport: str) -> None:
    await session.initialize()
    tools = {tool.name for tool in (await session.list_tools()).tools}
    assert {"memory_search", "memory_put", "orient", "proposal_create"} <= tools, tools

    content = f"The {transport} heron nests on the chimney."
    put = await session.call_tool("memory_put", {"tier": "workspace", "content": content})
    assert not put.is_error, put
    memory = put.structured_content["id"]
    found = await session.call_tool("memory_search", {"tier": "workspace", "query": f"{transport} heron"})
    hits = {hit["id"]: hit for hit in found.structured_content["memories"]}
    assert hits[memory]["curator"] == "agent", hits
    await session.call_tool("memory_update", {"id": memory, "content": content + " Twice."})
    history = await session.call_tool("memory_get", {"id": memory, "history": True})
    assert len(history.structured_content["versions"]) == 2, history

    resource = await session.read_resource(f"inklings://memory/{memory}")
    assert "Twice" in resource.contents[0].text
    prompt = await session.get_prompt("orient", {"query": "heron"})
    assert "heron" in prompt.messages[0].content.text

    refused = await session.call_tool("memory_put", {"tier": "workspace", "content": content + " Twice."})
    assert refused.is_error and refused.structured_content["error"]["code"] == "already_noted", refused
    forgotten = await session.call_tool("memory_forget", {"id": memory, "reason": "only a test"})
    assert not forgotten.is_error, forgotten


async def main() -> None:
    transport = sys.argv[1]
    if transport == "stdio":
        arguments = ["mcp", "--workspace", os.environ["WORKSPACE"], "--client", os.environ["CLIENT"]]
        server = StdioServerParameters(command=os.environ["INKLINGS"], args=arguments, env=dict(os.environ))
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            await main_path(session, transport)
    else:
        headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
        async with create_mcp_http_client(headers=headers) as http:
            async with streamable_http_client(os.environ["URL"], http_client=http) as streams:
                async with ClientSession(streams[0], streams[1]) as session:
                    await main_path(session, transport)
    print("done")


asyncio.run(main())
