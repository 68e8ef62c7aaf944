/** Name of the product in the title bar and the logo. */
export const SITE = '道远后台'
