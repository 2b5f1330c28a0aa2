/**
 * Carillon on one machine: the functions of the template, DynamoDB Local and ElasticMQ in one JVM.
 * Uses the handlers by the names in the template; of the functions' classes little more than the
 * simulation.
 */
@NullMarked
package dev.carillon.local;

import org.jspecify.annotations.NullMarked;
