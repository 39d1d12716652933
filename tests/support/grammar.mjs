// Reads statements as JSON strings, one per line, and answers each with the list of its syntax errors.
import { createInterface } from "node:readline";
import { CharStream, CommonTokenStream, ErrorListener } from "antlr4";
import { PlSqlLexer, PlSqlParser } from "@griffithswaite/ts-plsql-parser";

class Complaints extends ErrorListener {
  found = [];

  syntaxError(recognizer, symbol, line, column, message) {
    this.found.push(`${line}:${column} ${message.split(" expecting {")[0]}`);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const complaints = new Complaints();
  const lexer = new PlSqlLexer(new CharStream(JSON.parse(line)));
  lexer.removeErrorListeners();
  lexer.addErrorListener(complaints);
  const parser = new PlSqlParser(new CommonTokenStream(lexer));
  parser.removeErrorListeners();
  parser.addErrorListener(complaints);
  parser.buildParseTrees = false;
  parser.sql_script();
  console.log(JSON.stringify(complaints.found));
}
