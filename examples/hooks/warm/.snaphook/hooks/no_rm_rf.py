import json
import sys

for line in sys.stdin:
    event = json.loads(line)
    command = event.get("tool", {}).get("input", {}).get("command", "")
    answer = {"id": event.get("id")}
    if "rm -rf" in command:
        answer |= {"verdict": "deny", "reason": "rm -rf is not for agents"}
    print(json.dumps(answer), flush=True)
