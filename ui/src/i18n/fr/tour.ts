import type { tour as english } from "../en/tour";

export const tour: Record<keyof typeof english, string> = {
  "command.tour": "Faire la visite",
  "tour.step": "{step} sur {count}",
  "tour.next": "Suivant",
  "tour.done": "Terminé",
  "tour.leave": "Quitter la visite",
  "tour.memory.title": "Un souvenir",
  "tour.memory.body":
    "Chaque ligne est une chose que votre World Agent retient. L’ouvrir pour voir d’où elle vient, la changer, l’épingler ou la défaire.",
  "tour.search.title": "Le retrouver",
  "tour.search.body":
    "Taper un nom, quelques mots ou ce que vous voulez dire. Les souvenirs remontent pendant la frappe, chacun avec sa raison.",
  "tour.subject.title": "Un sujet a une page",
  "tour.subject.body":
    "Les gens, les lieux et les choses en ont chacun une : ce qu’on en sait, comment ils sont liés, et où ils sont mentionnés.",
  "tour.shown.title": "Ce que voit l’agent",
  "tour.shown.body":
    "À côté d’une conversation se trouve tout ce qui a été montré à l’agent pour sa réponse, et ce qui a été laissé de côté et pourquoi.",
  "tour.access.title": "Qui peut lire",
  "tour.access.body":
    "Rien ne quitte cet ordinateur de soi-même. Un autre programme d’IA ne lit que ce que vous accordez ici, et vous pouvez y mettre fin à tout moment.",
};
