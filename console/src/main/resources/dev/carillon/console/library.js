// Names that modules import, for the libraries, which are loaded as plain scripts.

export const { h, render, Fragment } = globalThis.preact;
export const { useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback, useId } = globalThis.preactHooks;
export const Chart = globalThis.uPlot;
