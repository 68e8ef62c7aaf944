/** What other modules use of the library in the browser. */
export { AssetPlayer } from './player.tsx'
