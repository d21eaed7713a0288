// News for a page that keeps itself current: one stream of events, taken up again when it breaks.

// Call `take` with each message; `lost` is told whether the connection is lost. Returns a function that ends it.
export function follow(address, take, lost) {
  let stream = null, pause = 1000, waiting = null;
  const connect = () => {
    stream = new EventSource(address);
    stream.onopen = () => {
      pause = 1000;
      lost(false);
    };
    stream.onmessage = (message) => take(JSON.parse(message.data));
    stream.onerror = () => {
      // Browsers reconnect after a broken connection but not after a refusal. All viewers lose the stream at the same
      // moment, so each waits for a random time.
      stream.close();
      lost(true);
      waiting = setTimeout(connect, pause * (0.5 + Math.random()));
      pause = Math.min(2 * pause, 15000);
    };
  };
  connect();
  return () => {
    clearTimeout(waiting);
    stream.close();
  };
}
