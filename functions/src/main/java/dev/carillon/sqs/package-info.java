/** The queues on SQS. Implements ports with the AWS SDK. */
@NullMarked
package dev.carillon.sqs;

import org.jspecify.annotations.NullMarked;
