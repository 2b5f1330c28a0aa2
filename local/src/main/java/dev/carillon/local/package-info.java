/**
 * Carillon on one machine: the functions of the template, DynamoDB Local and ElasticMQ in one JVM.
 * It finds the handlers by the names that the template gives. Of the other classes of the
 * functions, it uses mainly the simulation.
 */
@NullMarked
package dev.carillon.local;

import org.jspecify.annotations.NullMarked;
