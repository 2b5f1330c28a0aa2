/** The rate at which events are counted. It uses the harness and the local engine. */
package dev.carillon.bench.events;
