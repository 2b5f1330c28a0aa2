/** The queues on SQS. The package implements ports with the AWS SDK. */
@NullMarked
package dev.carillon.sqs;

import org.jspecify.annotations.NullMarked;
