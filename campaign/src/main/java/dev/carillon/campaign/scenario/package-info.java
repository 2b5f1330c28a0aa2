/**
 * What users and producers do in an episode, made from a seed. It may use the engine's random
 * numbers and the judge's words for documents and operations, but nothing of the system.
 */
package dev.carillon.campaign.scenario;
