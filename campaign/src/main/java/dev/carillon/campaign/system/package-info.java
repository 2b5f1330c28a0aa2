/**
 * The real functions on simulated stores and queues, the users who call them, and the watches that
 * look after every write. It may use all other rooms, and the judge only for words to note what it
 * saw: no watch decides by a method of the system.
 */
package dev.carillon.campaign.system;
