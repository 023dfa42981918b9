// Reads the sequence diagram in FILE with the parser of Mermaid, and prints its lifelines and messages
// as JSON. The parser has replaced the entities by signs of its own.
//   node mermaid.mjs FOLDER_OF_MERMAID FILE
import {readFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';

const [folder, file] = process.argv.slice(2);
const {default: mermaid} = await import(pathToFileURL(`${folder}/mermaid.esm.min.mjs`));
const text = readFileSync(file, 'utf8');
const parsed = await mermaid.parse(text);
const {db} = await mermaid.mermaidAPI.getDiagramFromText(text);
const note = db.LINETYPE.NOTE;
console.log(JSON.stringify({
  type: parsed.diagramType,
  lifelines: [...db.getActors().values()].map(each => [each.name, each.description]),
  messages: db.getMessages().filter(each => each.type !== note)
    .map(each => [each.from, each.to, each.message]),
  notes: db.getMessages().filter(each => each.type === note).map(each => each.message),
}));
