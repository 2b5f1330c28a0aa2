/** What the functions tell CloudWatch. */
package dev.carillon.metrics;
