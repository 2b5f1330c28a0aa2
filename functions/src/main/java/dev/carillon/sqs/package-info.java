/** The queues on SQS. */
package dev.carillon.sqs;
