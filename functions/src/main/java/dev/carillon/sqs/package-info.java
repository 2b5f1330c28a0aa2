/** The queues on SQS. Implements the ports of the packages above; uses the AWS SDK. */
@NullMarked
package dev.carillon.sqs;

import org.jspecify.annotations.NullMarked;
