// The one script of a report: what its pages and the games on them need.
import "../site/page.js";
import "./page.js";
import "./watch.js";
import { setTheme } from "../settings.js";

setTheme();
