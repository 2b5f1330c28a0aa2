/** The stores on DynamoDB: the only place that knows tables, keys and rows. */
package dev.carillon.dynamodb;
