import type { savedSearch as english } from "../en/savedSearch";

export const savedSearch: Record<keyof typeof english, string> = {
  "saved.title": "Recherches enregistrées",
  "saved.new": "Enregistrer cette recherche sous",
  "saved.save": "Enregistrer cette recherche…",
  "saved.saveDo": "Enregistrer",
  "saved.done": "Enregistrée sous « {name} ».",
  "saved.as": "Enregistrée sous « {name} ».",
  "saved.nothing": "Rechercher ou filtrer, puis enregistrer ici sous un nom.",
  "saved.query": "« {text} »",
  "saved.lens": "Par les yeux de quelqu’un",
  "saved.name": "Nom",
  "saved.taken": "Une autre recherche enregistrée a ce nom.",
  "saved.actions": "Actions pour {name}",
  "saved.rename": "Renommer…",
  "saved.renameDo": "Renommer",
  "saved.up": "Monter",
  "saved.down": "Descendre",
  "saved.remove": "Supprimer",
  "saved.removed": "La recherche enregistrée « {name} » a été supprimée.",
  "saved.moved": "{name} est numéro {place} sur {count}.",
  "saved.command": "Recherche enregistrée : {name}",
};
