/**
 * Carillon on one machine: the functions of the template, DynamoDB Local and ElasticMQ in one JVM.
 * It finds the handlers by their names in the template, and uses few other classes of the functions
 * except the simulation.
 */
@NullMarked
package dev.carillon.local;

import org.jspecify.annotations.NullMarked;
