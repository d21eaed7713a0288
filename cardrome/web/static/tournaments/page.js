// The pages of a tournament: tables that sort, the matrix that explains itself, and news while it is played.
import { follow } from "./live.js";
import { matrix } from "./matrix.js";
import { sortable } from "./tables.js";

function prepare(part) {
  for (const table of part.querySelectorAll("table.sort")) sortable(table);
  for (const table of part.querySelectorAll("table.matrix")) matrix(table);
}

prepare(document);
follow(prepare);
