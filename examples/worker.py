"""A worker with the standard library alone, for the local engine. docs/worker-protocol.md explains each step.
For a deployed stack use boto3 for the queue, and sign the requests to the API (SigV4, service execute-api)."""
import http.client, json, os, threading, time, urllib.request, uuid

API = os.environ.get("API_URL", "http://localhost:8080")
SQS = os.environ.get("SQS_URL", "http://localhost:9324")
QUEUE = SQS + "/000000000000/" + os.environ.get("QUEUE", "carillon-target-exports")
NEEDED = {"carillon-job-id", "carillon-attempt", "carillon-program"}  # the attributes of a launch request
denied = []  # what was refused because a permission is missing; it ends the polling
foreign = set()  # the ids of messages that are no launch requests

def work(body, attempt, stopped):
    """The work. It ends soon after stopped.is_set(), and writes its result with the attempt as fencing token."""
    print("attempt", attempt, "of", body, flush=True)
    return {"done": json.loads(body)}

class Refusals(urllib.request.HTTPErrorProcessor):
    http_response = https_response = lambda self, request, reply: reply  # a refusal is an answer, not an error

def post(url, body, permission="execute-api:Invoke", tries=5, timeout=30, **headers):
    """Status and answer; status 0 if none came. Each request of the protocol can be repeated."""
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json", **headers})
    status = 0
    try:
        with urllib.request.build_opener(Refusals).open(request, timeout=timeout) as reply:
            status, text = reply.status, reply.read()
        answer = json.loads(text or b"{}")
    except (OSError, ValueError, http.client.HTTPException) as trouble:
        answer = repr(trouble)
    if not isinstance(answer, dict):  # not from the API; only a refusal counts without its content
        status, answer = status if status >= 400 else 0, {"detail": answer}
    if status in (401, 403) or "AccessDenied" in answer.get("__type", ""):
        denied.append(f"the permission {permission} on {body.get('QueueUrl', url)} is missing: {answer}")
    if 0 < status < 500 and status not in (408, 425, 429) and ":concurrent-change" not in answer.get("type", ""):
        return status, answer
    print(url, status, answer, flush=True)
    time.sleep(1 if tries > 1 else 0)
    return post(url, body, permission, tries - 1, timeout, **headers) if tries > 1 else (0, {})

def sqs(action, **members):
    headers = {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": "AmazonSQS." + action}
    return post(SQS, {"QueueUrl": QUEUE, **members}, "sqs:" + action, **headers)

def renew(url, token, stop_at, claim, stopped, ended):
    """A heartbeat every fifth of the claim's lifetime, a stop at 0.8 of it, by the own monotonic clock."""
    try:
        lifetime, expires_at = claim["expiresIn"], claim["expiresAt"]
        while not ended.wait(min(lifetime / 5, max(0, stop_at - time.monotonic()))):
            now = time.monotonic()
            longest = min(max(2, lifetime / 5), stop_at - now)  # so that a lost answer leaves time for another
            status, answer = post(url + "/heartbeat", token, tries=1, timeout=longest) if longest > 0 else (409, {})
            if status == 200:
                lifetime, renewed = answer["expiresIn"], now + 0.8 * answer["expiresIn"]
                is_extended = answer["expiresAt"] > expires_at  # near runTimeout it is not
                expires_at, stop_at = answer["expiresAt"], renewed if is_extended else min(renewed, stop_at)
            if status == 409:
                return stopped.set()
            if answer.get("cancelled"):
                stopped.set()
    except Exception:  # nothing renews the claim any more
        stopped.set()
        raise

def finish(url, end, report):
    """The report of the end. It is sent again for at least five minutes; the claim is renewed meanwhile."""
    return post(url + end, report, tries=300)

def run(url, claim, stop_at, body):
    stopped, ended, token = threading.Event(), threading.Event(), {"claimToken": claim["claimToken"]}
    if time.monotonic() >= stop_at:
        return finish(url, "/fail", {**token, "error": "the claim was answered too late to begin the work"})
    threading.Thread(target=renew, args=(url, token, stop_at, claim, stopped, ended), daemon=True).start()
    try:
        end, report = "/succeed", {"output": work(body, claim["attempt"], stopped)}
        json.dumps(report)  # an output that JSON cannot hold is a failure of the work
    except Exception as failure:
        end, report = "/fail", {"error": repr(failure)[:4000]}
    if stopped.is_set():
        end, report = "/fail", {"error": "stopped before the work was done"}
    status, answer = finish(url, end, {**token, **report})  # 409: the claim was lost, and another attempt counts
    if end == "/succeed" and status in (400, 413):  # another attempt would be refused again
        error = f"the work was done, but its report was refused: {answer}"[:4000]
        finish(url, "/fail", {**token, "error": error, "retriable": False})
    ended.set()

while not denied:
    status, answer = sqs("ReceiveMessage", WaitTimeSeconds=20, MessageAttributeNames=["All"])
    for message in answer.get("Messages", []):
        header = {k: v.get("StringValue", "") for k, v in message.get("MessageAttributes", {}).items()}
        if not NEEDED <= header.keys():  # it stays in the queue, and SQS delivers it again
            if message["MessageId"] not in foreign:
                print("no launch request:", message["MessageId"], header, flush=True)
            foreign.add(message["MessageId"])
            continue
        sent_at = time.monotonic()
        url = f"{API}/v1/namespaces/{header['carillon-program'].split('/')[0]}/jobs/{header['carillon-job-id']}"
        code, claim = post(url + "/claim", {"worker": uuid.uuid4().hex, "attempt": int(header["carillon-attempt"])})
        if code == 200 or claim.get("type", "").endswith((":superseded", ":not-found")):
            sqs("DeleteMessage", ReceiptHandle=message["ReceiptHandle"])
        if code == 200:
            run(url, claim, sent_at + 0.8 * claim["expiresIn"], message["Body"])
    time.sleep(0 if status == 200 else 1)
raise SystemExit(denied[0])
