// The libraries, which load as plain scripts, as names that modules import.

export const { h, render, Fragment } = globalThis.preact;
export const { useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback, useId } = globalThis.preactHooks;
export const Chart = globalThis.uPlot;
