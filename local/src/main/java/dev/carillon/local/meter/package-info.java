/** Measures the cost of requests to DynamoDB and SQS. It uses only the SDK. */
package dev.carillon.local.meter;
