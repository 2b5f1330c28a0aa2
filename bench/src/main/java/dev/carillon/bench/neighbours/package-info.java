/** How late one namespace is beside a loud one. It uses the harness and the fault campaign. */
package dev.carillon.bench.neighbours;
