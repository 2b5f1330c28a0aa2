/**
 * The actions of users and producers in an episode, generated from a seed. This package may use the
 * engine's random numbers and the judge's types for documents and operations, but no class of the
 * system.
 */
package dev.carillon.campaign.scenario;
