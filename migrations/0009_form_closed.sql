-- Whether a page's form has as many submissions as a page may have. The ledger counts them.
ALTER TABLE `pages` ADD `form_closed` integer DEFAULT false NOT NULL;
