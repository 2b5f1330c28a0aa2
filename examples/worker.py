"""A worker with the standard library alone, for the local engine. docs/worker-protocol.md explains each step.
For a deployed stack use boto3 for the queue, and sign the requests to the API (SigV4, service execute-api)."""
import json, os, threading, time, urllib.request, uuid

API = os.environ.get("API_URL", "http://localhost:8080")
SQS = os.environ.get("SQS_URL", "http://localhost:9324")
QUEUE = SQS + "/000000000000/" + os.environ.get("QUEUE", "carillon-target-exports")
denied = []  # what was refused because a permission is missing; it ends the polling

def work(body, attempt, stopped):
    """The work. It ends soon after stopped.is_set(), and writes its result with the attempt as fencing token."""
    print("attempt", attempt, "of", body, flush=True)
    return {"done": json.loads(body)}

class Refusals(urllib.request.HTTPErrorProcessor):
    http_response = https_response = lambda self, request, reply: reply  # a refusal is an answer, not an error

def post(url, body, permission="execute-api:Invoke", tries=5, timeout=30, **headers):
    """Status and answer; status 0 if none came. Each request of the protocol can be repeated."""
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.build_opener(Refusals).open(request, timeout=timeout) as reply:
            status, answer = reply.status, json.loads(reply.read() or b"{}")
    except (OSError, ValueError) as trouble:
        status, answer = 0, {"detail": repr(trouble)}
    if status in (401, 403) or "AccessDenied" in answer.get("__type", ""):
        denied.append(f"the permission {permission} on {body.get('QueueUrl', url)} is missing: {answer}")
    if 0 < status < 500 and status != 429 and not answer.get("type", "").endswith(":concurrent-change"):
        return status, answer
    print(url, status, answer, flush=True)
    time.sleep(1 if tries > 1 else 0)
    return post(url, body, permission, tries - 1, timeout, **headers) if tries > 1 else (0, {})

def sqs(action, **members):
    headers = {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": "AmazonSQS." + action}
    return post(SQS, {"QueueUrl": QUEUE, **members}, "sqs:" + action, **headers)

def renew(url, token, stop_at, lifetime, stopped, ended):
    """A heartbeat every fifth of the claim's lifetime, a stop at 0.8 of it, by the own monotonic clock."""
    while not ended.wait(min(lifetime / 5, max(0, stop_at - time.monotonic()))):
        now = time.monotonic()
        status, answer = post(url + "/heartbeat", token, tries=1, timeout=stop_at - now) if now < stop_at else (409, {})
        if status == 200:
            lifetime, stop_at = answer["expiresIn"], now + 0.8 * answer["expiresIn"]
        if status == 409:
            return stopped.set()
        if answer.get("cancelled"):
            stopped.set()

def run(url, claim, stop_at, body):
    stopped, ended, token = threading.Event(), threading.Event(), {"claimToken": claim["claimToken"]}
    threading.Thread(target=renew, args=(url, token, stop_at, claim["expiresIn"], stopped, ended), daemon=True).start()
    try:
        end, report = "/succeed", {"output": work(body, claim["attempt"], stopped)}
    except Exception as failure:
        end, report = "/fail", {"error": repr(failure)[:4000]}
    if stopped.is_set():
        end, report = "/fail", {"error": "stopped before the work was done"}
    post(url + end, {**token, **report})  # 409: the claim was lost, and another attempt counts
    ended.set()

while not denied:
    status, answer = sqs("ReceiveMessage", WaitTimeSeconds=20, MessageAttributeNames=["All"])
    for message in answer.get("Messages", []):
        sent_at, header = time.monotonic(), {k: v["StringValue"] for k, v in message["MessageAttributes"].items()}
        url = f"{API}/v1/namespaces/{header['carillon-program'].split('/')[0]}/jobs/{header['carillon-job-id']}"
        code, claim = post(url + "/claim", {"worker": uuid.uuid4().hex, "attempt": int(header["carillon-attempt"])})
        if code == 200 or claim.get("type", "").endswith((":superseded", ":not-found")):
            sqs("DeleteMessage", ReceiptHandle=message["ReceiptHandle"])
        if code == 200:
            run(url, claim, sent_at + 0.8 * claim["expiresIn"], message["Body"])
    time.sleep(0 if status == 200 else 1)
raise SystemExit(denied[0])
