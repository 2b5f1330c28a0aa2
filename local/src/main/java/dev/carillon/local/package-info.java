/**
 * Carillon on one machine: the functions of the template, DynamoDB Local and ElasticMQ in one JVM.
 */
@NullMarked
package dev.carillon.local;

import org.jspecify.annotations.NullMarked;
