// Reads statements as JSON strings, one per line, and answers each with the list of its syntax errors.
import { createInterface } from "node:readline";
import { CharStream, CommonTokenStream, ErrorListener, PredictionMode } from "antlr4";
import { PlSqlLexer, PlSqlParser } from "@griffithswaite/ts-plsql-parser";

class Complaints extends ErrorListener {
  found = [];

  syntaxError(recognizer, symbol, line, column, message) {
    this.found.push(`${line}:${column} ${message.split(" expecting {")[0]}`);
  }
}

function complaints(statement, mode) {
  const errors = new Complaints();
  const lexer = new PlSqlLexer(new CharStream(statement));
  lexer.removeErrorListeners();
  lexer.addErrorListener(errors);
  const parser = new PlSqlParser(new CommonTokenStream(lexer));
  parser.removeErrorListeners();
  parser.addErrorListener(errors);
  parser.buildParseTrees = false;
  parser._interp.predictionMode = mode;
  parser.sql_script();
  return errors.found;
}

for await (const line of createInterface({ input: process.stdin })) {
  const statement = JSON.parse(line);
  // The fast mode refuses some valid statements, but accepts no invalid one.
  const fast = complaints(statement, PredictionMode.SLL);
  console.log(JSON.stringify(fast.length ? complaints(statement, PredictionMode.LL) : fast));
}
