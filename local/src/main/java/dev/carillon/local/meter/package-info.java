/** What requests to DynamoDB and SQS cost, counted as they are made. Uses the SDK alone. */
package dev.carillon.local.meter;
