/** What other modules use of outlines in the browser. */
export { OutlineEditor } from './editor/outline-editor.tsx'
