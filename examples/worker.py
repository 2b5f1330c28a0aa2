"""A worker with the standard library alone. docs/worker-protocol.md explains each step.

It speaks to a local engine, which asks for no signature. For a deployed stack use boto3 for the queue, and sign the
requests to the API (SigV4, service execute-api), for example with botocore.auth.SigV4Auth.
"""
import json
import os
import threading
import time
import urllib.error
import urllib.request
import uuid

API = os.environ.get("API_URL", "http://localhost:8080")
SQS = os.environ.get("SQS_URL", "http://localhost:9324")
QUEUE = SQS + "/000000000000/" + os.environ.get("QUEUE", "carillon-target-exports")

def work(body, attempt, stopped):
    """The work. It ends soon after stopped.is_set(), and writes its result with the attempt as fencing token."""
    print("attempt", attempt, "of", body, flush=True)
    return {"done": json.loads(body)}

def kind(problem):
    return problem.get("type", "").replace("urn:carillon:problem:", "")

def post(url, body, tries=5, timeout=30, **headers):
    """Status and answer; status 0 if none came. Each request of the protocol can be repeated."""
    headers = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    for left in reversed(range(tries)):
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return answer.status, json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as refusal:
            problem = json.loads(refusal.read() or b"{}") if refusal.code < 500 else {}
            if refusal.code < 500 and refusal.code != 429 and kind(problem) != "concurrent-change":
                return refusal.code, problem
        except OSError as unanswered:
            print(url, "was not answered:", unanswered, flush=True)
        time.sleep(1 if left else 0)
    return 0, {}

def sqs(action, **members):
    headers = {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": "AmazonSQS." + action}
    return post(SQS, {"QueueUrl": QUEUE, **members}, **headers)[1]

def renew(url, token, sent_at, lifetime, stopped, ended):
    """A heartbeat every fifth of the claim's lifetime, a stop at 0.8 of it, by the own monotonic clock."""
    beat_at = sent_at + lifetime / 5
    while not ended.wait(max(0, min(beat_at, sent_at + 0.8 * lifetime) - time.monotonic())):
        now = time.monotonic()
        left, beat_at = sent_at + 0.8 * lifetime - now, now + lifetime / 5
        status, answer = post(url + "/heartbeat", {"claimToken": token}, 1, left) if left > 0 else (409, {})
        if status == 200:
            sent_at, lifetime = now, answer["expiresIn"]
        if status == 409 or answer.get("cancelled"):
            stopped.set()
        if status == 409:
            return

def run(url, claim, sent_at, body):
    stopped, ended, token = threading.Event(), threading.Event(), claim["claimToken"]
    lease = (url, token, sent_at, claim["expiresIn"], stopped, ended)
    threading.Thread(target=renew, args=lease, daemon=True).start()
    try:
        end, report = "/succeed", {"output": work(body, claim["attempt"], stopped)}
    except Exception as failure:
        end, report = "/fail", {"error": repr(failure)[:4000]}
    if stopped.is_set():
        end, report = "/fail", {"error": "stopped before the work was done"}
    post(url + end, {"claimToken": token, **report})  # 409: the claim was lost, and another attempt counts
    ended.set()

def handle(message):
    attributes = {name: it["StringValue"] for name, it in message["MessageAttributes"].items()}
    namespace, job = attributes["carillon-program"].split("/")[0], attributes["carillon-job-id"]
    url, sent_at = f"{API}/v1/namespaces/{namespace}/jobs/{job}", time.monotonic()
    claimant = {"worker": "python-" + uuid.uuid4().hex, "attempt": int(attributes["carillon-attempt"])}
    status, claim = post(url + "/claim", claimant)
    if status in (401, 403):
        raise SystemExit("the permission execute-api:Invoke on " + url + "/claim is missing")
    if status == 200 or kind(claim) in ("superseded", "not-found"):
        sqs("DeleteMessage", ReceiptHandle=message["ReceiptHandle"])
    if status == 200:
        run(url, claim, sent_at, message["Body"])

while True:
    answer = sqs("ReceiveMessage", WaitTimeSeconds=20, MessageAttributeNames=["All"])
    for received in answer.get("Messages", []):
        handle(received)
