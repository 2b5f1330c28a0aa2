/** What requests cost. */
package dev.carillon.local.meter;
