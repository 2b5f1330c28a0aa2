"""Expands template.yaml as CloudFormation would: files included, then the SAM transform.

Prints the result as JSON, for cfn-lint and for engines that do not run the transform. Fails if an event source invokes a
function instead of its alias, or if the result contains a null, which CloudFormation refuses. Requires aws-sam-cli, which
contains the transform.

usage: expand.py [s3://BUCKET/KEY of the functions' artifact] [PARAMETER=VALUE instead of its default]...
"""

import json
import os
import sys

os.environ.setdefault("AWS_DEFAULT_REGION", "us-east-1")

from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

ARTIFACT = "s3://bucket/functions.zip"
NESTED = "https://s3.us-east-1.amazonaws.com/bucket/nested.template"


class NoManagedPolicies:
    def load(self):
        return {}


def read(path):
    with open(path, encoding="utf-8") as file:
        return yaml_parse(file.read())


def included(node):
    if isinstance(node, list):
        return [included(element) for element in node]
    if not isinstance(node, dict):
        return node
    call = node.get("Fn::Transform", {})
    if call.get("Name") == "AWS::Include":
        return read(call["Parameters"]["Location"])
    return {name: included(value) for name, value in node.items()}


def packaged(template, artifact):
    """Replaces local paths as sam package does."""
    template["Globals"]["Function"]["CodeUri"] = artifact
    for resource in template["Resources"].values():
        if resource["Type"] == "AWS::CloudFormation::Stack":
            resource["Properties"]["TemplateURL"] = NESTED
    return template


def invocations(resources):
    """The function that each resource invokes, by resource."""
    for name, resource in resources.items():
        kind, properties = resource["Type"], resource.get("Properties", {})
        if kind in ("AWS::Lambda::EventSourceMapping", "AWS::Lambda::Permission"):
            yield name, properties["FunctionName"]
        elif kind == "AWS::Events::Rule":
            for target in properties["Targets"]:
                yield name, target["Arn"]
        elif kind == "AWS::ApiGateway::RestApi":
            for path, operations in properties["Body"]["paths"].items():
                for method, operation in operations.items():
                    yield f"{method} {path}", operation["x-amazon-apigateway-integration"]["uri"]


def names_alias(target, aliases):
    text = json.dumps(target)
    return any(f'{{"Ref": "{alias}"}}' == text or f"${{{alias}}}" in text for alias in aliases)


def nulls(node, path=""):
    """The paths of all nulls."""
    if node is None:
        yield path
    elif isinstance(node, (dict, list)):
        for name, child in node.items() if isinstance(node, dict) else enumerate(node):
            yield from nulls(child, f"{path}/{name}")


def assign(template, assignments):
    """Replaces the defaults of parameters."""
    for assignment in assignments:
        name, value = assignment.split("=", 1)
        template["Parameters"][name]["Default"] = value


def main(arguments):
    artifacts = [it for it in arguments if it.startswith("s3://")]
    template = packaged(included(read("template.yaml")), artifacts[0] if artifacts else ARTIFACT)
    assign(template, [it for it in arguments if it not in artifacts])
    values = {name: it.get("Default") for name, it in template["Parameters"].items()}
    values.update({"AWS::Region": "us-east-1", "AWS::Partition": "aws"})
    expanded = transform(template, values, NoManagedPolicies())
    resources = expanded["Resources"]
    aliases = [name for name, it in resources.items() if it["Type"] == "AWS::Lambda::Alias"]
    direct = [source for source, target in invocations(resources) if not names_alias(target, aliases)]
    if direct or not aliases:
        sys.exit(f"these event sources do not invoke an alias: {direct or 'the template has no alias'}")
    refused = list(nulls(expanded))
    if refused:
        sys.exit(f"CloudFormation refuses nulls; remove those at {', '.join(refused)}")
    json.dump(expanded, sys.stdout, indent=1)


main(sys.argv[1:])
