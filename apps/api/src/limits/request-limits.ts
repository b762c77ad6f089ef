/** How much one request may ask for. An abstract class, so that it is its own injection token. */
export abstract class RequestLimits {
  abstract readonly bodyBytes: number;
  /** Items an execution may be started with. */
  abstract readonly items: number;
  /** Arrays and objects inside each other. */
  abstract readonly depth: number;
}
