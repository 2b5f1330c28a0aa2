/** What launches cost. */
package dev.carillon.bench.cost;
