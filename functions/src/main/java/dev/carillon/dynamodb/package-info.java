/**
 * The stores on DynamoDB: the only place that knows tables, keys and items. Implements the ports of
 * the packages above; uses the AWS SDK.
 */
@NullMarked
package dev.carillon.dynamodb;

import org.jspecify.annotations.NullMarked;
